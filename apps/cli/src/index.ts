export { saveLogin, type SaveLoginInput, type SavedLogin } from './config/save-login.ts'
