package io.anser.broker.group;

import io.anser.broker.filter.Subscription;
import io.anser.protocol.body.ClientConnection;
import io.anser.protocol.body.SubscriptionData;
import io.anser.protocol.frame.Language;
import java.util.Set;

/** Clients and their subscriptions as tools want to see them. Pure. */
final class ConnectionBodies {
    private ConnectionBodies() {}

    static ClientConnection connection(String clientId, ClientChannel channel) {
        int language = channel.description().map(SelfDescription::language).orElse(Language.OTHER);
        int version = channel.description().map(SelfDescription::version).orElse(0);
        return new ClientConnection(clientId, channel.address(), Language.name(language), version);
    }

    static SubscriptionData subscription(Subscription subscription) {
        return subscription.withoutVersion().expressionType().equals(SubscriptionData.TAG)
                ? SubscriptionData.ofTags(subscription.topic(), subscription.expression(), subscription.version())
                : new SubscriptionData(
                        subscription.topic(),
                        subscription.expression(),
                        Set.of(),
                        Set.of(),
                        subscription.version(),
                        SubscriptionData.SQL92,
                        false);
    }
}
