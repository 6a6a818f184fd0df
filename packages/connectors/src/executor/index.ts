/** The part that opens credentials and asks other services, with the libraries that this takes. */
export { createExecutor, type LocalExecutor } from './executor.ts'
export { answerRequest } from './remote/answer-request.ts'
export { isSigned } from './remote/signature.ts'
