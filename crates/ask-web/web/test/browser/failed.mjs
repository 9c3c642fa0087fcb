// Names the file of each test that failed, a line each: a reporter for `run`.
export default async function* failed(source) {
  for await (const { type, data } of source) if (type === "test:fail" && data.file) yield `${data.file}\n`;
}
