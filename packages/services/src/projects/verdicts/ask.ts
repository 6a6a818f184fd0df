import { availableParallelism } from 'node:os'
import { startWorker } from './start-worker.ts'
import { type Answer, type Question, type Tasks, work } from './tasks.ts'
import { WorkerPool } from './worker-pool.ts'

/**
 * Max size of text that is judged on the thread that read it. The slowest text of this size takes 30 ms of a processor,
 * so it holds up other requests for less than 50 ms; bench/manifest measures it.
 */
export const inlineBytes = 8 * 1024

const pool = new WorkerPool<Question, Answer>({
  threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
  max_waiting: 64,
  time_limit_ms: 10_000,
  idle_ms: 60_000,
  start: startWorker,
})

/** Asks about text of so many characters without holding up the rest of the process. */
export async function ask<Kind extends keyof Tasks>(
  kind: Kind,
  asked: Tasks[Kind]['asked'],
  characters: number,
): Promise<Tasks[Kind]['answer']> {
  if (characters <= inlineBytes) return work[kind](asked)
  const said = await pool.ask(questionOf(kind, asked))
  if ('error' in said) throw new Error(said.error)
  return answerOf(kind, said.answer)
}

/** Ends the threads of this process. */
export async function closeVerdicts(): Promise<void> {
  await pool.close()
}

/** The one place that pairs a kind with its input for the types. */
function questionOf<Kind extends keyof Tasks>(kind: Kind, asked: Tasks[Kind]['asked']): Question {
  return { kind, asked } as Question
}

/** The other thread's answer, typed: `work` of the same build returned it there. */
function answerOf<Kind extends keyof Tasks>(_: Kind, answer: unknown): Tasks[Kind]['answer'] {
  return answer as Tasks[Kind]['answer']
}
