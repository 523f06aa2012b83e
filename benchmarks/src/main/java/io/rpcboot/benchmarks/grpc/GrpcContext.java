package io.rpcboot.benchmarks.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.Metadata.Key;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/**
 * What {@code ours-context} does: the client's side sends three entries along, the
 * server's looks at one of them.
 */
final class GrpcContext {

	private static final Key<String> TENANT = key("tenant");

	private static final Key<String> LANGUAGE = key("language");

	private static final Key<String> TRACE = key("traceparent");

	private GrpcContext() {
	}

	private static Key<String> key(String name) {
		return Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
	}

	static final class Sender implements ClientInterceptor {

		@Override
		public <I, O> ClientCall<I, O> interceptCall(MethodDescriptor<I, O> method, CallOptions options, Channel next) {
			return new SimpleForwardingClientCall<>(next.newCall(method, options)) {

				@Override
				public void start(ClientCall.Listener<O> listener, Metadata headers) {
					headers.put(TENANT, "acme");
					headers.put(LANGUAGE, "de-CH");
					headers.put(TRACE, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
					super.start(listener, headers);
				}

			};
		}

	}

	static final class Reader implements ServerInterceptor {

		@Override
		public <I, O> Listener<I> interceptCall(ServerCall<I, O> call, Metadata headers, ServerCallHandler<I, O> next) {
			if (headers.get(TENANT) == null) {
				throw new IllegalStateException("no tenant");
			}
			return next.startCall(call, headers);
		}

	}

}
