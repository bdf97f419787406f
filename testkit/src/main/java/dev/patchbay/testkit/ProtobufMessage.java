package dev.patchbay.testkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** A message in the binary format of Protocol Buffers, read without its schema. */
final class ProtobufMessage {
    private static final byte[] NONE = {};

    /** A field: the number of a scalar, or the bytes of anything else. */
    private static final class Field {
        private final int number;
        private final long varint;
        private final byte[] bytes;

        Field(int number, long varint, byte[] bytes) {
            this.number = number;
            this.varint = varint;
            this.bytes = bytes;
        }
    }

    private final List<Field> fields = new ArrayList<>();

    ProtobufMessage(byte[] bytes) {
        ByteBuffer input = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (input.hasRemaining()) {
            long key = varint(input);
            int number = (int) (key >>> 3);
            switch ((int) (key & 7)) {
                case 0 -> fields.add(new Field(number, varint(input), NONE));
                case 1 -> fields.add(new Field(number, input.getLong(), NONE));
                case 2 -> {
                    byte[] content = new byte[(int) varint(input)];
                    input.get(content);
                    fields.add(new Field(number, 0, content));
                }
                case 5 -> fields.add(new Field(number, input.getInt(), NONE));
                default -> throw new IllegalArgumentException("Unknown wire type in " + key);
            }
        }
    }

    private static long varint(ByteBuffer input) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = input.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    /** The messages in a repeated field. */
    List<ProtobufMessage> messages(int number) {
        return fields.stream()
                .filter(field -> field.number == number)
                .map(field -> new ProtobufMessage(field.bytes))
                .toList();
    }

    /** The text in a field; empty if it is absent. */
    String text(int number) {
        return bytes(number).map(it -> new String(it, StandardCharsets.UTF_8)).orElse("");
    }

    /** The bytes in a field as hexadecimal digits; empty if it is absent. */
    String hex(int number) {
        return bytes(number).map(HexFormat.of()::formatHex).orElse("");
    }

    /** The number in a field; 0 if it is absent. */
    long number(int number) {
        return fields.stream()
                .filter(field -> field.number == number)
                .map(field -> field.varint)
                .findFirst()
                .orElse(0L);
    }

    private Optional<byte[]> bytes(int number) {
        return fields.stream()
                .filter(field -> field.number == number)
                .map(field -> field.bytes)
                .findFirst();
    }
}
