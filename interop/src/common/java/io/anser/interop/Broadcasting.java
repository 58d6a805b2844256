package io.anser.interop;

import java.lang.reflect.Method;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

/** Sets the message model, an enumeration that moved to another package between the generations of the client. */
final class Broadcasting {
    private Broadcasting() {}

    static void set(DefaultMQPushConsumer consumer) throws ReflectiveOperationException {
        for (Method method : DefaultMQPushConsumer.class.getMethods()) {
            if (method.getName().equals("setMessageModel")) {
                for (Object model : method.getParameterTypes()[0].getEnumConstants()) {
                    if (model.toString().equals("BROADCASTING")) {
                        method.invoke(consumer, model);
                        return;
                    }
                }
            }
        }
        throw new NoSuchMethodException("setMessageModel");
    }
}
