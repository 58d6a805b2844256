package io.anser.protocol.body;

import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonReader;
import io.anser.protocol.json.JsonWriter;

/**
 * A user, or what of one is to change. Its password is read, but neither written nor shown.
 *
 * @param username name of the user; empty where the header has it
 * @param password empty: none is said
 * @param userType {@code Super} or {@code Normal}; empty: none is said
 * @param userStatus {@code enable} or {@code disable}; empty: none is said
 */
public record UserInfo(String username, String password, String userType, String userStatus) implements JsonBody {
    /** Reads a body. */
    public static UserInfo read(byte[] json) {
        return JsonReader.parse(json, BodyLimits.CLIENT_BYTES, UserInfo::read);
    }

    /** Reads one value. */
    public static UserInfo read(JsonReader in) {
        String username = "";
        String password = "";
        String userType = "";
        String userStatus = "";
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "username" -> username = in.string();
                    case "password" -> password = in.string();
                    case "userType" -> userType = in.string();
                    case "userStatus" -> userStatus = in.string();
                    default -> in.skip();
                }
            }
        }
        return new UserInfo(username, password, userType, userStatus);
    }

    @Override
    public void writeTo(JsonWriter out) {
        out.beginObject();
        out.memberUnlessEmpty("userStatus", userStatus).memberUnlessEmpty("userType", userType);
        out.memberUnlessEmpty("username", username);
        out.endObject();
    }

    @Override
    public String toString() {
        return "user=" + username + " type=" + userType + " status=" + userStatus;
    }
}
