export { databaseChecks } from './database-checks.ts'
export { failedChecks } from './failed-checks.ts'
