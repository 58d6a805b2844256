package io.anser.raft.rpc;

import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.RaftRpcFactory;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.util.Endpoint;
import com.alipay.sofa.jraft.util.SPI;
import org.jspecify.annotations.Nullable;

/**
 * Gives the engine its way to the other members. The engine makes one of these for the whole JVM, found by its service loader;
 * it keeps nothing, and each node's options name the connections of its process.
 */
@SPI(priority = 1)
public final class MemberRpcFactory implements RaftRpcFactory {
    /** For the engine's service loader. */
    public MemberRpcFactory() {}

    /** The messages are known. */
    @Override
    public void registerProtobufSerializer(String className, Object... arguments) {}

    @Override
    public RpcClient createRpcClient(@Nullable ConfigHelper<RpcClient> helper) {
        MemberClient client = new MemberClient();
        if (helper != null) {
            helper.config(client);
        }
        return client;
    }

    @Override
    public ConfigHelper<RpcClient> defaultJRaftClientConfigHelper(RpcOptions options) {
        return client -> {
            if (client instanceof MemberClient member && options instanceof MemberConnections owner) {
                member.use(owner.connections(), owner.candidacy());
            }
        };
    }

    /** The process has its port; see {@link MemberServer}. */
    @Override
    public RpcServer createRpcServer(@Nullable Endpoint endpoint, @Nullable ConfigHelper<RpcServer> helper) {
        return new MemberServer();
    }
}
