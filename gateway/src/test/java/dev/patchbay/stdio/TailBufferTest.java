package dev.patchbay.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Random;

class TailBufferTest {
    @Test
    void keepsTheLastBytesForAnyChunking() {
        var random = new Random(7);
        for (int round = 0; round < 200; round++) {
            int max = round % 2 == 0 ? 16 : 60;
            var tail = new TailBuffer(max);
            var all = new StringBuilder();
            for (int piece = 0; piece < 10; piece++) {
                String text = "abcdefghijklmnopqrstuvwxyz".substring(0, random.nextInt(26));
                all.append(text);
                tail.add(text.getBytes(StandardCharsets.UTF_8), text.length());
            }
            int kept = random.nextInt(max + 5);
            String wanted =
                    all.substring(all.length() - Math.min(all.length(), Math.min(kept, max)));
            assertThat(tail.text(kept)).as("round " + round).isEqualTo(wanted);
        }
    }

    @Test
    void growsUpToTheMaximum() {
        var tail = new TailBuffer(3_000);
        var all = new StringBuilder();
        for (int number = 0; number < 2_000; number++) {
            all.append(number);
            byte[] text = Integer.toString(number).getBytes(StandardCharsets.UTF_8);
            tail.add(text, text.length);
            int kept = Math.min(all.length(), 3_000);
            assertThat(tail.text(4_000)).isEqualTo(all.substring(all.length() - kept));
        }
    }
}
