package io.rpcboot.internal.transport.tls;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;

import javax.net.ssl.SSLException;

import io.netty.handler.ssl.NotSslRecordException;

/** Texts of failed handshakes: what the other side did, and what was expected. */
final class TlsFailureText {

	/** Causes of a failure that are read. */
	private static final int MAX_DEPTH = 16;

	private TlsFailureText() {
	}

	/**
	 * Returns the text for a client.
	 * @param host name that the certificate of the server must have
	 */
	static String ofClient(Throwable failure, String host) {
		Throwable root = root(failure);
		String text = of(failure);
		if (root instanceof CertificateNames.ApplicationException) {
			return text;
		}
		if (root instanceof NotSslRecordException) {
			return "the server speaks clear text (expected: TLS, by rpc.client.ssl.bundle)";
		}
		if (isClosed(root)) {
			return "the server closed the connection during the TLS handshake, see its log"
					+ " (expected: a server with rpc.server.ssl.bundle)";
		}
		if (text.toLowerCase(Locale.ROOT).contains("no_application_protocol")) {
			return "the server does not speak the protocol of the reference over TLS (expected: rpc.client.protocol=grpc for a server of gRPC, else native): "
					+ text;
		}
		if (text.contains("subject alternative") || text.contains("No name matching")) {
			return "the certificate of the server is not for '%s': %s".formatted(host, text);
		}
		if (isAboutCertificate(failure)) {
			return "the certificate of the server is %s (expected: its authority in the trust store of rpc.client.ssl.bundle)"
				.formatted(problem(root, text));
		}
		if (isAlertAboutCertificate(text)) {
			return "the server refuses the certificate of this client: %s (expected: one that the server trusts, in rpc.client.ssl.bundle)"
				.formatted(text);
		}
		return "the TLS handshake failed: " + text;
	}

	/** Returns the text for a server. */
	static String ofServer(Throwable failure) {
		Throwable root = root(failure);
		String text = of(failure);
		if (text.contains("Empty client certificate chain") || text.contains("PEER_DID_NOT_RETURN_A_CERTIFICATE")) {
			return "the client has no certificate of an authority in the trust store of rpc.server.ssl.bundle (expected: one, by rpc.server.ssl.client-auth=need)";
		}
		if (isAboutCertificate(failure)) {
			return "the certificate of the client is %s (expected: its authority in the trust store of rpc.server.ssl.bundle)"
				.formatted(problem(root, text));
		}
		if (isAlertAboutCertificate(text)) {
			return "the client refuses the certificate of this server: " + text;
		}
		return "the TLS handshake failed: " + text;
	}

	/** Returns true if the other side has closed or reset the connection. */
	static boolean isClosed(Throwable failure) {
		Throwable root = root(failure);
		return root instanceof IOException && !(root instanceof SSLException);
	}

	/** Returns true if this side refuses the certificate of the other one. */
	private static boolean isAboutCertificate(Throwable failure) {
		Throwable cause = failure;
		for (int i = 0; i < MAX_DEPTH && cause != null; i++) {
			if (cause instanceof CertificateException) {
				return true;
			}
			cause = cause.getCause();
		}
		return false;
	}

	private static String problem(Throwable root, String text) {
		boolean isUntimely = root instanceof CertificateExpiredException
				|| root instanceof CertificateNotYetValidException;
		return (isUntimely ? "not valid now: " : "not trusted: ") + text;
	}

	/** Returns true if the other side refuses the certificate of this one. */
	private static boolean isAlertAboutCertificate(String text) {
		String lower = text.toLowerCase(Locale.ROOT);
		return lower.contains("alert") && (lower.contains("certificate") || lower.contains("unknown_ca")
				|| lower.contains("unknown ca") || lower.contains("access_denied"));
	}

	/** Returns the message of the root of a failure, or its class. */
	static String of(Throwable failure) {
		Throwable root = root(failure);
		String message = root.getMessage();
		return (message != null && !message.isBlank()) ? message : root.getClass().getSimpleName();
	}

	private static Throwable root(Throwable failure) {
		Throwable root = failure;
		for (int i = 0; i < MAX_DEPTH && root.getCause() != null; i++) {
			root = root.getCause();
		}
		return root;
	}

}
