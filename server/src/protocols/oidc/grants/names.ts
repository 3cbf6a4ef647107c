/** The grant types of this folder, by the names of the standards. */
export const passwordGrant = 'password'
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
