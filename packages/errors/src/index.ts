export { eachOf } from './each-of.ts'
export { errorBody, type ErrorBody } from './error-body.ts'
export { rateHeaders, type RateHeaders, retryHeaders } from './rate-headers.ts'
export {
  type ErrorCode,
  errorCodes,
  type ErrorDetails,
  type ErrorStatus,
  type RateLimitState,
  ServiceError,
  statusOf,
} from './service-error.ts'
