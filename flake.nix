# `nix run .` runs ask-user, `nix profile install .` installs it, `overlays.default` adds it to another flake's packages.
# The compiler of the nixpkgs in use must not be older than `rust-version` in Cargo.toml.
{
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = packages: nixpkgs.lib.genAttrs systems (system: packages nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: { default = pkgs.callPackage ./packaging/nix/package.nix { }; });
      overlays.default = final: previous: { ask-user = final.callPackage ./packaging/nix/package.nix { }; };
    };
}
