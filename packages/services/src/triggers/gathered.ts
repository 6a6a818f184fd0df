import DataLoader from 'dataloader'

const most = 64

/**
 * A call of `run` for each input, and at most one of them at a time: what comes while one runs goes together into the
 * next. So an answer is never older than its question, and a crowd costs little more than one.
 */
export function gathered<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
): (input: Input) => Promise<Output> {
  let last: Promise<unknown> = Promise.resolve()
  const loader = new DataLoader<Input, Output>(
    (inputs) => {
      const running = together(run, inputs)
      last = running.catch(() => undefined)
      return running
    },
    { cache: false, maxBatchSize: most, batchScheduleFn: (dispatch) => void last.then(dispatch) },
  )
  return (input) => loader.load(input)
}

/** What fails together is tried one by one: nobody is refused for a neighbour's sake. */
async function together<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  inputs: readonly Input[],
): Promise<(Output | Error)[]> {
  if (inputs.length > 1) {
    try {
      return [...(await run(inputs))]
    } catch {
      // Which of them was at fault is about to show.
    }
  }
  const outcomes = await Promise.allSettled(inputs.map((input) => run([input])))
  return outcomes.flatMap((outcome): (Output | Error)[] =>
    outcome.status === 'fulfilled' ? [...outcome.value] : [asError(outcome.reason)],
  )
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
