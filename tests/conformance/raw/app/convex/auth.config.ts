export default {
  providers: [
    {
      type: "customJwt",
      issuer: "https://tokens.example",
      applicationID: "app",
      algorithm: "ES256",
      jwks: process.env.TEST_JWKS!,
    },
  ],
};
