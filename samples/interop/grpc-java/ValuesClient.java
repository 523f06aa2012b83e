import java.util.concurrent.TimeUnit;

import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.rpcboot.samples.interop.proto.CheckRequest;
import io.rpcboot.samples.interop.proto.CheckResponse;
import io.rpcboot.samples.interop.proto.GetRequest;
import io.rpcboot.samples.interop.proto.GetResponse;

/**
 * Reads the values of {@code ValueService} with the classes that protoc generated, prints
 * each as JSON, and sends it back. Arguments: address of the server, number of values.
 */
public final class ValuesClient {

	private static final String SERVICE = "io.rpcboot.samples.interop.ValueService";

	private ValuesClient() {
	}

	/** Entry point; see the class. */
	public static void main(String[] args) throws Exception {
		ManagedChannel channel = ManagedChannelBuilder.forTarget(args[0]).usePlaintext().build();
		try {
			for (int i = 0; i < Integer.parseInt(args[1]); i++) {
				GetResponse read = call(channel, "Get", GetRequest.newBuilder().setIndex(i).build(),
						GetResponse.getDefaultInstance());
				System.out.println(JsonFormat.printer()
					.preservingProtoFieldNames()
					.omittingInsignificantWhitespace()
					.print(read.getValue()));
				CheckRequest back = CheckRequest.newBuilder()
					.setIndex(i)
					.setValues(read.getValue().toBuilder())
					.build();
				if (!call(channel, "Check", back, CheckResponse.getDefaultInstance()).getValue()) {
					throw new IllegalStateException("the server finds other values at " + i);
				}
			}
		}
		finally {
			channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
		}
	}

	private static <Q extends Message, R extends Message> R call(ManagedChannel channel, String method, Q request,
			R response) {
		@SuppressWarnings("unchecked")
		Q example = (Q) request.getDefaultInstanceForType();
		MethodDescriptor<Q, R> descriptor = MethodDescriptor
			.<Q, R>newBuilder(ProtoUtils.marshaller(example), ProtoUtils.marshaller(response))
			.setType(MethodDescriptor.MethodType.UNARY)
			.setFullMethodName(SERVICE + "/" + method)
			.build();
		return ClientCalls.blockingUnaryCall(channel, descriptor,
				CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS), request);
	}

}
