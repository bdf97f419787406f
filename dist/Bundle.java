import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Makes the MCP bundle of the program, for Claude Desktop and other hosts that install bundles, and
 * the {@code server.json} that the MCP registry gets: {@code java dist/Bundle.java TARGET VERSION
 * TIME}, after {@code Image.java} has written the program to {@code TARGET}.
 */
final class Bundle {
    private static final String REPOSITORY = "https://github.com/patchbay/patchbay";
    private static final String DESCRIPTION = "One MCP endpoint for all of your MCP servers.";

    private final Path target;
    private final String version;
    private final FileTime time;

    private Bundle(Path target, String version, Instant time) {
        this.target = target.toAbsolutePath().normalize();
        this.version = version;
        this.time = FileTime.from(time);
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            System.err.println("usage: java dist/Bundle.java TARGET VERSION TIME");
            System.exit(2);
        }
        new Bundle(Path.of(args[0]), args[1], Instant.parse(args[2])).write();
    }

    private void write() throws IOException {
        Path image = image();
        Path bundle = target.resolve(image.getFileName() + ".mcpb");
        Files.deleteIfExists(bundle);
        var options = Map.of("create", "true", "enablePosixFileAttributes", "true");
        URI zip = URI.create("jar:" + bundle.toUri());
        try (FileSystem files = FileSystems.newFileSystem(zip, options)) {
            add(
                    files.getPath("manifest.json"),
                    manifest(image.getFileName().toString()).getBytes(UTF_8),
                    false);
            // The run time has links to licences; a bundle has none, so they become files.
            try (Stream<Path> all = Files.walk(image, FileVisitOption.FOLLOW_LINKS)) {
                for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                    Path entry = files.getPath(image.relativize(file).toString());
                    add(entry, Files.readAllBytes(file), Files.isExecutable(file));
                }
            }
        }
        Files.writeString(target.resolve("server.json"), serverJson(bundle));
    }

    private Path image() throws IOException {
        try (Stream<Path> all = Files.list(target)) {
            List<Path> images =
                    all.filter(Files::isDirectory)
                            .filter(it -> it.getFileName().toString().startsWith("patchbay-"))
                            .toList();
            if (images.size() != 1) {
                throw new IOException("There must be one program in " + target + ": " + images);
            }
            return images.getFirst();
        }
    }

    private void add(Path entry, byte[] content, boolean executable) throws IOException {
        createParents(entry);
        Files.write(entry, content);
        String mode = executable ? "rwxr-xr-x" : "rw-r--r--";
        Files.setPosixFilePermissions(entry, PosixFilePermissions.fromString(mode));
        setTimes(entry);
    }

    private void createParents(Path entry) throws IOException {
        Path parent = entry.getParent();
        if (parent != null && !Files.exists(parent)) {
            createParents(parent);
            Files.createDirectory(parent);
            setTimes(parent);
        }
    }

    private void setTimes(Path entry) throws IOException {
        Files.getFileAttributeView(entry, BasicFileAttributeView.class).setTimes(time, time, time);
    }

    private String manifest(String image) {
        boolean isWindows = image.contains("-windows-");
        String program = isWindows ? "patchbay.cmd" : "patchbay";
        // As Node.js calls them.
        String platform = isWindows ? "win32" : image.contains("-macos-") ? "darwin" : "linux";
        return """
        {
          "manifest_version": "0.4",
          "name": "patchbay",
          "display_name": "Patchbay",
          "version": "%s",
          "description": "%s",
          "author": {"name": "Patchbay", "url": "%s"},
          "repository": {"type": "git", "url": "%s.git"},
          "homepage": "%s",
          "license": "Apache-2.0",
          "keywords": ["mcp", "gateway"],
          "server": {
            "type": "binary",
            "entry_point": "bin/%s",
            "mcp_config": {"command": "${__dirname}/bin/%s", "args": ["stdio"]}
          },
          "tools_generated": true,
          "prompts_generated": true,
          "compatibility": {"platforms": ["%s"]}
        }
        """
                .formatted(
                        version,
                        DESCRIPTION,
                        REPOSITORY,
                        REPOSITORY,
                        REPOSITORY,
                        program,
                        program,
                        platform);
    }

    private String serverJson(Path bundle) throws IOException {
        return """
        {
          "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
          "name": "io.github.patchbay/patchbay",
          "title": "Patchbay",
          "description": "%s",
          "version": "%s",
          "repository": {"url": "%s", "source": "github"},
          "packages": [
            {
              "registryType": "mcpb",
              "identifier": "%s/releases/download/v%s/%s",
              "fileSha256": "%s",
              "transport": {"type": "stdio"}
            }
          ]
        }
        """
                .formatted(
                        DESCRIPTION,
                        version,
                        REPOSITORY,
                        REPOSITORY,
                        version,
                        bundle.getFileName(),
                        digest(bundle));
    }

    private static String digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            var digest = MessageDigest.getInstance("SHA-256");
            byte[] chunk = new byte[1 << 16];
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                digest.update(chunk, 0, count);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
