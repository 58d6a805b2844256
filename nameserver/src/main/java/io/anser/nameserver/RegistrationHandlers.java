package io.anser.nameserver;

import io.anser.protocol.body.DataVersion;
import io.anser.protocol.body.KvTable;
import io.anser.protocol.body.RegisterBrokerBody;
import io.anser.protocol.body.TopicConfigTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.json.JsonDialect;
import io.anser.protocol.operation.BrokerHeartbeat;
import io.anser.protocol.operation.QueryDataVersion;
import io.anser.protocol.operation.RegisterBroker;
import io.anser.protocol.operation.UnregisterBroker;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.anser.transport.LogText;
import io.anser.transport.RateLimitedLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How brokers come, stay and go: registration, heartbeat, version query, farewell. Registrations are read on workers, the
 * rest on event loops.
 */
final class RegistrationHandlers {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrationHandlers.class);
    private static final int CRC_BITS = 0x7FFF_FFFF;

    private final NameServerSettings settings;
    private final RouteTable routes;
    private final KvConfig kvConfig;
    private final Clock clock;
    private final RateLimitedLog refusals;

    RegistrationHandlers(NameServerSettings settings, RouteTable routes, KvConfig kvConfig, Clock clock) {
        this.settings = settings;
        this.routes = routes;
        this.kvConfig = kvConfig;
        this.clock = clock;
        this.refusals = new RateLimitedLog(LOG, clock);
    }

    void registerIn(HandlerTable table) {
        table.register(RegisterBroker.CODE, Lane.WORKER, RegisterBroker.Request::decode, this::register);
        table.register(UnregisterBroker.CODE, Lane.NET, UnregisterBroker.Request::decode, this::unregister);
        table.register(BrokerHeartbeat.CODE, Lane.NET, BrokerHeartbeat.Request::decode, this::heartbeat);
        table.register(QueryDataVersion.CODE, Lane.NET, QueryDataVersion.Request::decode, this::queryDataVersion);
    }

    private void register(Call call, RegisterBroker.Request request, ByteBuf body) {
        byte[] bytes = ByteBufUtil.getBytes(body);
        if (request.bodyCrc32() != 0 && (request.bodyCrc32() & CRC_BITS) != crc32(bytes)) {
            call.respond(
                    ResponseCode.SYSTEM_ERROR,
                    "bodyCrc32 " + request.bodyCrc32() + " does not fit the body of " + bytes.length + " bytes");
            return;
        }
        Member member = new Member(
                request.brokerId(),
                request.brokerAddr(),
                request.haServerAddr(),
                call.connection().id(),
                topics(bytes, request.compressed()),
                request.enableActingMaster(),
                timeoutMillis(request.heartbeatTimeoutMillis()),
                clock.nanos(),
                request.standing());
        Registration outcome = routes.register(request.clusterName(), request.brokerName(), member);
        if (!call.connection().isOpen()) {
            // The connection ended while this waited for a worker: the listener came too early to see the broker.
            routes.connectionEnded(call.connection().id());
        }
        answer(call, request, outcome);
    }

    private void answer(Call call, RegisterBroker.Request request, Registration outcome) {
        if (outcome instanceof Registration.Accepted accepted) {
            if (accepted.isNew()) {
                LOG.info(
                        "broker registered name={} id={} address={}",
                        LogText.of(request.brokerName()),
                        request.brokerId(),
                        LogText.of(request.brokerAddr()));
            }
            call.respond(
                    ResponseCode.SUCCESS,
                    null,
                    new RegisterBroker.Response(accepted.masterHaAddress(), accepted.masterAddress()),
                    JsonAnswer.json(new KvTable(kvConfig.namespace(KvConfig.ORDER_TOPICS)), JsonDialect.FASTJSON));
        } else if (outcome instanceof Registration.Refused refused) {
            refusals.warn(
                    "broker refused, its clients cannot find it until this is resolved",
                    call.connection(),
                    refused.reason());
            call.respond(ResponseCode.SYSTEM_ERROR, refused.reason());
        }
    }

    private static TopicConfigTable topics(byte[] body, boolean compressed) {
        return body.length == 0
                ? new TopicConfigTable(Map.of(), DataVersion.ZERO)
                : RegisterBrokerBody.read(body, compressed).topics();
    }

    private long timeoutMillis(long asked) {
        return asked > 0 ? Math.min(asked, settings.brokerTimeoutMillis()) : settings.brokerTimeoutMillis();
    }

    private static int crc32(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue() & CRC_BITS;
    }

    private void unregister(Call call, UnregisterBroker.Request request, ByteBuf body) {
        boolean left = routes.unregister(
                request.brokerName(),
                request.brokerId(),
                request.brokerAddr(),
                call.connection().id());
        if (left) {
            LOG.info(
                    "broker unregistered name={} address={}",
                    LogText.of(request.brokerName()),
                    LogText.of(request.brokerAddr()));
        }
        call.respond(FieldSource.NONE);
    }

    private void heartbeat(Call call, BrokerHeartbeat.Request request, ByteBuf body) {
        Optional<DataVersion> known = routes.heardOf(
                request.brokerName(), request.brokerAddr(), call.connection().id());
        if (known.isPresent()) {
            call.respond(FieldSource.NONE);
        } else {
            call.respond(ResponseCode.BROKER_NOT_EXIST, "the broker is not registered here, it should register again");
        }
    }

    private void queryDataVersion(Call call, QueryDataVersion.Request request, ByteBuf body) {
        Optional<DataVersion> known = routes.heardOf(
                request.brokerName(), request.brokerAddr(), call.connection().id());
        DataVersion asked = body.isReadable() ? DataVersion.read(ByteBufUtil.getBytes(body)) : DataVersion.ZERO;
        boolean changed = known.isEmpty() || !known.get().equals(asked);
        call.respond(
                ResponseCode.SUCCESS,
                null,
                new QueryDataVersion.Response(changed),
                JsonAnswer.json(known.orElse(DataVersion.ZERO), JsonDialect.FASTJSON));
    }
}
