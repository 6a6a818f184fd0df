import { parentPort } from 'node:worker_threads'
import { type Answer, answerTo, type Question } from './tasks.ts'

/** The other thread: one question at a time, one answer for each. */
parentPort?.on('message', (question: Question) => {
  parentPort?.postMessage(answered(question))
})

function answered(question: Question): Answer {
  try {
    return { answer: answerTo(question) }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
