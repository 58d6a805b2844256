package io.anser.nameserver;

import io.anser.protocol.body.KvTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.json.JsonDialect;
import io.anser.protocol.operation.DeleteKvConfig;
import io.anser.protocol.operation.GetKvConfig;
import io.anser.protocol.operation.GetKvListByNamespace;
import io.anser.protocol.operation.PutKvConfig;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.anser.transport.LogText;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.SortedMap;

/** The key-value configuration, on event loops. */
final class KvHandlers {
    private final KvConfig kvConfig;

    KvHandlers(KvConfig kvConfig) {
        this.kvConfig = kvConfig;
    }

    void registerIn(HandlerTable table) {
        table.register(PutKvConfig.CODE, Lane.NET, PutKvConfig.Request::decode, this::put);
        table.register(GetKvConfig.CODE, Lane.NET, GetKvConfig.Request::decode, this::get);
        table.register(DeleteKvConfig.CODE, Lane.NET, DeleteKvConfig.Request::decode, this::delete);
        table.register(GetKvListByNamespace.CODE, Lane.NET, GetKvListByNamespace.Request::decode, this::list);
    }

    private void put(Call call, PutKvConfig.Request request, ByteBuf body) {
        if (kvConfig.put(request.namespace(), request.key(), request.value())) {
            call.respond(FieldSource.NONE);
        } else {
            call.respond(
                    ResponseCode.SYSTEM_ERROR,
                    "the key-value configuration has " + kvConfig.mostEntries() + " entries, its limit");
        }
    }

    private void get(Call call, GetKvConfig.Request request, ByteBuf body) {
        Optional<String> value = kvConfig.get(request.namespace(), request.key());
        if (value.isPresent()) {
            call.respond(new GetKvConfig.Response(value.get()));
        } else {
            call.respond(
                    ResponseCode.QUERY_NOT_FOUND,
                    "No config item, Namespace: " + LogText.of(request.namespace()) + " Key: "
                            + LogText.of(request.key()));
        }
    }

    private void delete(Call call, DeleteKvConfig.Request request, ByteBuf body) {
        kvConfig.delete(request.namespace(), request.key());
        call.respond(FieldSource.NONE);
    }

    private void list(Call call, GetKvListByNamespace.Request request, ByteBuf body) {
        SortedMap<String, String> entries = kvConfig.namespace(request.namespace());
        if (entries.isEmpty()) {
            call.respond(
                    ResponseCode.QUERY_NOT_FOUND, "no entries in the namespace " + LogText.of(request.namespace()));
        } else {
            JsonAnswer.respond(call, new KvTable(entries), JsonDialect.FASTJSON);
        }
    }
}
