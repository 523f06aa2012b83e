package io.rpcboot.spring.security;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Date;
import java.util.List;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;

import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** Issuer of tokens for the audience {@code vault}. */
final class Tokens {

	static final Tokens ISSUER = new Tokens();

	static final Tokens STRANGER = new Tokens();

	private final KeyPair keys;

	private Tokens() {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
			generator.initialize(2048);
			this.keys = generator.generateKeyPair();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A decoder as applications have it: by a public key. */
	static JwtDecoder decoder() {
		NimbusJwtDecoder decoder = NimbusJwtDecoder.withPublicKey((RSAPublicKey) ISSUER.keys.getPublic()).build();
		decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(JwtValidators.createDefault(),
				new JwtClaimValidator<List<String>>("aud", (aud) -> aud != null && aud.contains("vault"))));
		return decoder;
	}

	String token(String scope) {
		return token(scope, "vault", Instant.now().plusSeconds(600));
	}

	String token(String scope, String audience, Instant end) {
		try {
			SignedJWT jwt = new SignedJWT(new JWSHeader(JWSAlgorithm.RS256), claims(scope, audience, end));
			jwt.sign(new RSASSASigner((RSAPrivateKey) this.keys.getPrivate()));
			return jwt.serialize();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static String unsigned(String scope) {
		return new PlainJWT(claims(scope, "vault", Instant.now().plusSeconds(600))).serialize();
	}

	private static JWTClaimsSet claims(String scope, String audience, Instant end) {
		return new JWTClaimsSet.Builder().subject("doug")
			.audience(audience)
			.claim("scope", scope)
			.issueTime(Date.from(end.minusSeconds(900)))
			.expirationTime(Date.from(end))
			.build();
	}

}
