# @NAME@ @VERSION@, built from its source archive; packaging/release replaces the words between at-signs.
class AskUser < Formula
  desc "@DESCRIPTION@"
  homepage "@REPOSITORY@"
  url "@URL@"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]
  head "@REPOSITORY@.git", branch: "main"

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/ask-user")
    generate_completions_from_executable(bin/"ask-user", "completions")
    (man1/"ask-user.1").write Utils.safe_popen_read(bin/"ask-user", "man")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/ask-user --version")
    hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",' \
            '"capabilities":{},"clientInfo":{"name":"brew","version":"1"}}}'
    assert_match "serverInfo", pipe_output("#{bin}/ask-user mcp", "#{hello}\n", 0)
  end
end
