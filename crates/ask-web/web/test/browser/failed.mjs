// A test reporter for `run`: prints the file of each failed test.
export default async function* failed(source) {
  for await (const { type, data } of source) if (type === "test:fail" && data.file) yield `${data.file}\n`;
}
