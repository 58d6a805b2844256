package io.anser.broker.metadata;

/**
 * The numbers of the kinds of change of leases, as they stand in the log, beside those of {@link ChangeKind}.
 *
 * <p>Payloads, as there; each begins with {@code text group | text topic | int queueId}:
 *
 * <table>
 *   <caption>Changes of leases</caption>
 *   <tr><th>kind</th><th>change</th><th>then</th></tr>
 *   <tr><td>20</td><td>popped</td><td>long from | long until | long popMillis | long visibleMillis | byte ordered | byte n |
 *       n times int offset, counted from {@code from}; where ordered: n times byte deliveries before | text attemptId</td></tr>
 *   <tr><td>21</td><td>settled</td><td>long start | long popMillis | int mask of places in the lease</td></tr>
 *   <tr><td>22</td><td>renewed</td><td>long start | long popMillis | int place in the lease | long new popMillis | long
 *       visibleMillis</td></tr>
 * </table>
 */
final class LeaseChangeKind {
    static final short POPPED = 20;
    static final short SETTLED = 21;
    static final short RENEWED = 22;

    private LeaseChangeKind() {}
}
