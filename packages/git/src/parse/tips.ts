/** `git for-each-ref --format='%(objectname) %(refname:lstrip=2)'`: branch name to tip. */
export function parseTips(text: string): Map<string, string> {
  return new Map(text === '' ? [] : text.split('\n').map((line) => [line.slice(41), line.slice(0, 40)]))
}
