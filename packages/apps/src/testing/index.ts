export * from './stage.ts'
