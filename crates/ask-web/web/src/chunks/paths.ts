// The completion of file names, loaded with the first word that begins with `@`.
export { startCompletion } from "../components/path_completion.tsx";
