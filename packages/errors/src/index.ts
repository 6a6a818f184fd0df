export { errorBody, type ErrorBody } from './error-body.ts'
export {
  type ErrorCode,
  errorCodes,
  type ErrorDetails,
  type ErrorStatus,
  ServiceError,
  statusOf,
} from './service-error.ts'
