// Delivery: messages are written with what they tell about and sent by a job, once, through the first provider that takes them.
// Contract 2.82 and 5.7; F21, F25; the order of mark and last byte is explained in drivers/smtp.ts.
// Called by everything that tells people something: sign-in, registration, password reset, invitations.
export { contentsPlace } from './contents.ts'
export { deliveryJobs } from './jobs.ts'
export { allowMessage } from './limits.ts'
export { type NewMessage, queueMessage, queuePush } from './queue.ts'
export { type SendData, sendMessage } from './send.ts'
export { eraseMessagesOf, exportMessagesOf } from './subject.ts'
