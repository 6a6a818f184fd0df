const lookMs = 250

/**
 * npm passes SIGTERM on to the shell that it runs a script with, and the shell ends without a word to the script. A
 * process that npm runs ends when that shell has gone.
 */
export function endWithNpm(end: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    end()
  }, lookMs).unref()
}
