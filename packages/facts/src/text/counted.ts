/** "1 commit", "2 commits". */
export function counted(number: number, noun: string, several = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : several}`
}
