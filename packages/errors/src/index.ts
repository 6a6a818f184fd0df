export { errorBody, type ErrorBody } from './error-body.ts'
export {
  type ErrorCode,
  errorCodes,
  type ErrorDetails,
  type ErrorStatus,
  type RateLimitState,
  ServiceError,
  statusOf,
} from './service-error.ts'
