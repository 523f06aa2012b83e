package io.rpcboot.benchmarks.grpc;

import javax.net.ssl.SSLException;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.rpcboot.benchmarks.tls.TlsFiles;

/**
 * Mutual TLS of grpc-java with the certificates of the run, and the versions that ours
 * has.
 */
final class GrpcTls {

	private GrpcTls() {
	}

	static SslContext client(SslProvider engine) {
		return build(SslContextBuilder.forClient().keyManager(TlsFiles.file("cert.pem"), TlsFiles.file("key.pem")),
				engine);
	}

	static SslContext server(SslProvider engine) {
		return build(SslContextBuilder.forServer(TlsFiles.file("cert.pem"), TlsFiles.file("key.pem"))
			.clientAuth(ClientAuth.REQUIRE), engine);
	}

	private static SslContext build(SslContextBuilder builder, SslProvider engine) {
		try {
			return GrpcSslContexts.configure(builder, engine)
				.trustManager(TlsFiles.file("ca.pem"))
				.protocols("TLSv1.3", "TLSv1.2")
				.build();
		}
		catch (SSLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
