export { directUrl, openDatabase } from '../database/open-database.ts'
export { runService } from './run-service.ts'
