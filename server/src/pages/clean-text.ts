// Words that strangers chose (an application's name, a message to compare) as one line that reads in the order it is written.
export { cleanText } from '../platform/text/index.ts'
