// What JSX is built into.
export { Fragment, h } from "preact";
