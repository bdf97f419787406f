package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * The positions of the members of one object, so that several lookups scan its text only once. The
 * params of a call are asked for about ten members on their way.
 */
final class MemberIndex {
    /** In place of an index: the object has been asked once and gets an index if asked again. */
    static final MemberIndex NOT_YET_BUILT = new MemberIndex(new int[0]);

    /** In place of an index: the object has too many members for one. */
    static final MemberIndex TOO_LARGE = new MemberIndex(new int[0]);

    private static final int MEMBERS_MAX = 16;
    private static final int MEMBERS_EXPECTED = 4;

    /** The start and end of the name, then the start and end of the value. */
    private static final int FIELDS = 4;

    private final int[] positions;

    private MemberIndex(int[] positions) {
        this.positions = positions;
    }

    /** The index of an object; {@link #TOO_LARGE} if it has too many members. */
    static MemberIndex of(Json object) {
        int[] positions = new int[MEMBERS_EXPECTED * FIELDS];
        int length = 0;
        var cursor = new MemberCursor(object);
        while (cursor.next()) {
            if (length == MEMBERS_MAX * FIELDS) {
                return TOO_LARGE;
            }
            if (length == positions.length) {
                positions = Arrays.copyOf(positions, MEMBERS_MAX * FIELDS);
            }
            cursor.writePositions(positions, length);
            length += FIELDS;
        }
        return new MemberIndex(
                length == positions.length ? positions : Arrays.copyOf(positions, length));
    }

    /** The member of the indexed object with this name; null if there is none. */
    @Nullable Json find(Json object, String name) {
        for (int at = 0; at < positions.length; at += FIELDS) {
            if (JsonStrings.equal(object.bytes, positions[at], positions[at + 1], name)) {
                return new Json(
                        object.bytes, positions[at + 2], positions[at + 3], object.largeValues);
            }
        }
        return null;
    }
}
