package dev.patchbay.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

class RotatingLogTest {
    @TempDir Path folder;

    private static byte[] line(int number) {
        return "line %04d\n".formatted(number).getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void keepsTheNewestLinesInTwoFiles() throws IOException {
        Path file = folder.resolve("daemon.log");
        try (var log = new RotatingLog(file, 100)) {
            for (int i = 0; i < 1000; i++) {
                log.write(line(i), 0, line(i).length);
            }
        }
        assertThat(Files.size(file)).isLessThanOrEqualTo(100);
        assertThat(Files.size(RotatingLog.older(file))).isLessThanOrEqualTo(100);
        assertThat(Files.readString(file)).endsWith("line 0999\n");
        assertThat(folder.toFile().list()).hasSize(2);
    }

    @Test
    void continuesAnExistingFile() throws IOException {
        Path file = Files.writeString(folder.resolve("daemon.log"), "old\n");
        try (var log = new RotatingLog(file, 100)) {
            log.write(line(1), 0, line(1).length);
        }
        assertThat(Files.readString(file)).isEqualTo("old\nline 0001\n");
    }

    @Test
    void dropsWhatCannotBeWritten() throws IOException {
        Path gone = folder.resolve("gone");
        try (var log = new RotatingLog(gone.resolve("daemon.log"), 100)) {
            log.write(line(1), 0, line(1).length);
            Files.createDirectory(gone);
            log.write(line(2), 0, line(2).length);
        }
        assertThat(Files.readString(gone.resolve("daemon.log"))).isEqualTo("line 0002\n");
    }
}
