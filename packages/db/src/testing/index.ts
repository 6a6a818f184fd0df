export { type TestDatabase, testDatabase } from './test-database.ts'
export { dumpTables } from './dump-tables.ts'
export { type EmptyDatabase, emptyDatabase } from './empty-database.ts'
export { type SchemaChange, watchDdl } from './watch-ddl.ts'
