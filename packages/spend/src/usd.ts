export { usd } from '@svc/facts'
