/** At most `size` tasks at a time; the others wait in order, and leave the queue when their signal aborts. */
export interface Limiter {
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function createLimiter(size: number): Limiter {
  let free = size
  const queue: (() => void)[] = []

  const acquire = (signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted()
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        queue.splice(queue.indexOf(enter), 1)
        reject(signal?.reason)
      }
      queue.push(enter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  const release = () => {
    const next = queue.shift()
    if (next) next()
    else free += 1
  }

  return {
    async run(task, signal) {
      await acquire(signal)
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}
