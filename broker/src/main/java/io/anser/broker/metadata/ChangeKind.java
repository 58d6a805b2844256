package io.anser.broker.metadata;

/**
 * The numbers of the kinds of state change, as they stand in the log. A number is never used again for another meaning.
 *
 * <p>Payloads, big-endian; a text is {@code short bytes | UTF-8}:
 *
 * <table>
 *   <caption>State changes</caption>
 *   <tr><th>kind</th><th>change</th><th>payload</th></tr>
 *   <tr><td>1</td><td>topic saved</td><td>long createdMillis | JSON of the topic's configuration</td></tr>
 *   <tr><td>2</td><td>group saved</td><td>JSON of the group's configuration</td></tr>
 *   <tr><td>3</td><td>offset committed</td><td>text group | text topic | int queueId | long offset</td></tr>
 *   <tr><td>4</td><td>order lock moved</td><td>text group | text topic | int queueId | text clientId (empty: free)</td></tr>
 *   <tr><td>5</td><td>timer fired</td><td>long dueMillis | long position of the waiting message</td></tr>
 *   <tr><td>6</td><td>broker started</td><td>long startedMillis</td></tr>
 *   <tr><td>7</td><td>topic deleted</td><td>text topic; the store's own record that drops its messages follows in the
 *       same unit</td></tr>
 *   <tr><td>8</td><td>group deleted</td><td>text group | byte 1: its offsets too, 0: they stay</td></tr>
 *   <tr><td>20 to 22</td><td>leases</td><td>see {@link LeaseChangeKind}</td></tr>
 *   <tr><td>23</td><td>request mode saved</td><td>JSON of the mode; see {@link RequestModeSaved}</td></tr>
 *   <tr><td>30</td><td>transaction ended</td><td>long position of the half message | byte 1: committed, 2: rolled back,
 *       3: given up | long endedMillis; the message of a commit comes before it in the same unit</td></tr>
 *   <tr><td>31</td><td>transaction checked</td><td>long position of the half message | int checks | long
 *       checkedMillis</td></tr>
 *   <tr><td>32</td><td>timer recalled</td><td>long dueMillis | long position of the waiting message | text uniqueId of
 *       the message</td></tr>
 *   <tr><td>33</td><td>transaction reopened</td><td>long position of the half message | long its queueOffset | long
 *       position of the message that was given up | long reopenedMillis</td></tr>
 *   <tr><td>34</td><td>timer moved</td><td>long dueMillis | long position where the message waited; in front of it in the
 *       same unit is the message again</td></tr>
 *   <tr><td>40</td><td>key taken</td><td>long high | long low: the key | int queueId | long windowMillis; the message that came
 *       with it follows in the same unit</td></tr>
 *   <tr><td>50</td><td>group started</td><td>text group | text topic | byte 1: at the end, 2: at the first message, 3: at a
 *       time | int n | n times long offset, -1: not settled; see {@link GroupStarted}</td></tr>
 *   <tr><td>70</td><td>latest value kept</td><td>long log position where it lay | the whole message; see {@link
 *       ValueKept}</td></tr>
 *   <tr><td>71</td><td>latest value lost</td><td>text topic | int queueId | long queueOffset | long log position; see {@link
 *       ValueLost}</td></tr>
 *   <tr><td>80</td><td>user saved</td><td>text name | text secret | byte 1: super user | byte 1: enabled</td></tr>
 *   <tr><td>81</td><td>user deleted</td><td>text name</td></tr>
 *   <tr><td>82</td><td>rules saved</td><td>JSON of all rules of one subject</td></tr>
 *   <tr><td>83</td><td>rules deleted</td><td>text subject</td></tr>
 *   <tr><td>84</td><td>settings changed</td><td>int count | that many: text key | text value, empty: as it was started
 *       with</td></tr>
 *   <tr><td>85</td><td>reading forbidden</td><td>text group | text topic | byte 1: forbidden, 0: allowed again</td></tr>
 *   <tr><td>86</td><td>user created</td><td>as 80; of no meaning where there is one of that name</td></tr>
 *   <tr><td>87</td><td>user changed</td><td>text name | text secret | text type | text status; an empty one leaves it as it
 *       is</td></tr>
 *   <tr><td>88</td><td>rules added</td><td>byte 1: only where the subject has some | JSON of the rules to add</td></tr>
 *   <tr><td>89</td><td>rules removed</td><td>text subject | text kind | text resource, empty: all of that kind</td></tr>
 * </table>
 */
final class ChangeKind {
    static final short TOPIC_SAVED = 1;
    static final short GROUP_SAVED = 2;
    static final short OFFSET_COMMITTED = 3;
    static final short ORDER_LOCK_MOVED = 4;
    static final short TIMER_FIRED = 5;
    static final short BROKER_STARTED = 6;
    static final short TOPIC_DELETED = 7;
    static final short GROUP_DELETED = 8;
    static final short TRANSACTION_ENDED = 30;
    static final short TRANSACTION_CHECKED = 31;
    static final short TIMER_RECALLED = 32;
    static final short TRANSACTION_REOPENED = 33;
    static final short TIMER_MOVED = 34;
    static final short KEY_TAKEN = 40;

    private ChangeKind() {}
}
