# ask-user as a Nix package: `pkgs.callPackage ./packaging/nix/package.nix { }`, or through flake.nix at the root.
{ lib, stdenv, rustPlatform, installShellFiles }:

let
  workspace = (lib.importTOML ../../Cargo.toml).workspace.package;
  crate = (lib.importTOML ../../crates/ask-user/Cargo.toml).package;
in
rustPlatform.buildRustPackage {
  pname = crate.name;
  inherit (workspace) version;

  src = lib.cleanSource ../..;
  cargoLock.lockFile = ../../Cargo.lock;
  cargoBuildFlags = [ "--package" crate.name ];

  # The tests need tmux, Node.js and packages from two registries.
  doCheck = false;

  nativeBuildInputs = [ installShellFiles ];
  postInstall = lib.optionalString (stdenv.buildPlatform.canExecute stdenv.hostPlatform) ''
    $out/bin/ask-user man > ask-user.1
    installManPage ask-user.1
    for shell in bash zsh fish; do
      $out/bin/ask-user completions $shell > ask-user.$shell
    done
    installShellCompletion --cmd ask-user --bash ask-user.bash --zsh ask-user.zsh --fish ask-user.fish
  '';

  meta = {
    inherit (crate) description;
    homepage = workspace.repository;
    license = with lib.licenses; [ mit asl20 ];
    mainProgram = crate.name;
    platforms = lib.platforms.unix;
  };
}
