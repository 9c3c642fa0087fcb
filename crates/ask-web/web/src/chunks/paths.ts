// The completion of file names, loaded with the first word that begins with `@`.
export { begin } from "../components/path_completion.tsx";
