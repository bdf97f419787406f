class Patchbay < Formula
  desc "One MCP endpoint for all of your MCP servers"
  homepage "https://github.com/patchbay/patchbay"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "@URL:macos-arm64@"
      sha256 "@SHA256:macos-arm64@"
    end
    on_intel do
      url "@URL:macos-x64@"
      sha256 "@SHA256:macos-x64@"
    end
  end
  on_linux do
    on_arm do
      url "@URL:linux-arm64@"
      sha256 "@SHA256:linux-arm64@"
    end
    on_intel do
      url "@URL:linux-x64@"
      sha256 "@SHA256:linux-x64@"
    end
  end

  def install
    libexec.install "bin", "lib"
    bin.install_symlink libexec/"bin/patchbay"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/patchbay"
    doc.install Dir["share/doc/patchbay/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/patchbay --version")
    assert_match "10", shell_output("#{bin}/patchbay call java.evaluate code='IntStream.range(0,5).sum()'")
  end
end
