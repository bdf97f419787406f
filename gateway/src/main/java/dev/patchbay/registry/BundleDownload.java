package dev.patchbay.registry;

import dev.patchbay.files.PrivateFile;
import dev.patchbay.http.client.HttpDownload;
import dev.patchbay.text.DisplayText;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Downloads the bundle of a registry entry and checks its digest. */
public final class BundleDownload {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private BundleDownload() {}

    /**
     * Downloads a bundle to a temporary file, which the caller deletes. A file with a wrong digest
     * is deleted at once.
     */
    public static Path get(LaunchSource.Bundle bundle, Path folder, BundleLimits limits)
            throws RegistryException, IOException, InterruptedException {
        PrivateFile.createFolder(folder);
        Path file = PrivateFile.createTemporary(folder, "download-");
        boolean isComplete = false;
        try {
            download(bundle, file, limits);
            BundleArchive _ = BundleArchive.open(file, bundle.sha256(), limits);
            isComplete = true;
            return file;
        } finally {
            if (!isComplete) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static void download(LaunchSource.Bundle bundle, Path file, BundleLimits limits)
            throws RegistryException, InterruptedException {
        String shown = DisplayText.message(bundle.url());
        int status;
        try (OutputStream out = Files.newOutputStream(file)) {
            var source =
                    new HttpDownload.Source(
                            URI.create(bundle.url()), "*/*", limits.fileBytesMax(), TIMEOUT);
            status = HttpDownload.get(source, out);
        } catch (IllegalArgumentException e) {
            throw new RegistryException("The bundle has no valid URL: " + shown);
        } catch (IOException e) {
            throw new RegistryException(
                    "The bundle %s cannot be downloaded: %s"
                            .formatted(shown, DisplayText.message(String.valueOf(e.getMessage()))));
        }
        if (status != 200) {
            throw new RegistryException(
                    "The bundle %s cannot be downloaded: status %d".formatted(shown, status));
        }
    }
}
