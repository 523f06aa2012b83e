package io.rpcboot.internal.server.builtin;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.server.access.AccessDenial;
import org.jspecify.annotations.Nullable;

/**
 * Method that a server itself offers over gRPC, as health or reflection: answers each
 * message on the event loop of its connection. Thread-safe.
 */
public interface StreamHandler {

	/**
	 * Begins a call. Event loop only.
	 * @param responses receives the responses of the call
	 * @return receives the requests of the call
	 */
	Requests begin(Responses responses);

	/** Returns true if a call has one request and one response. */
	default boolean isUnary() {
		return false;
	}

	/** Returns the longest request, in bytes. */
	default int longestRequest() {
		return FieldReader.MAX_LENGTH;
	}

	/**
	 * Returns true if the answer to some requests is for everybody. Then a call is
	 * decided about when its first request has arrived, else when it begins.
	 */
	default boolean hasPublicRequests() {
		return false;
	}

	/** Returns true if the answer to a request is for everybody. */
	default boolean isPublic(byte[] bytes, int offset, int length) {
		return false;
	}

	/**
	 * Returns methods of a service of which a caller has to be permitted to call one;
	 * none if the path of this method itself decides.
	 */
	default List<MethodDescriptor> callable() {
		return List.of();
	}

	/**
	 * Begins a call of a caller who may not ask about each service. Event loop only.
	 * @param access returns the refusal of a question about services, or null: about some
	 * of them, or about all and those that do not exist if there are none
	 */
	default Requests begin(Responses responses, Function<Collection<ServiceId>, @Nullable AccessDenial> access) {
		return begin(responses);
	}

	/** Requests of a call. Event loop only; must not block. */
	interface Requests {

		/**
		 * Receives a message.
		 * @param bytes hold the message until this method returns
		 */
		void onMessage(byte[] bytes, int offset, int length);

		/**
		 * Returns true while messages are kept that have arrived: their memory stays in
		 * use until {@link Responses#messagesTaken}.
		 */
		default boolean keepsMessages() {
			return false;
		}

		/** The client sends no more messages. */
		void onHalfClose();

		/**
		 * Receives the reason why no further message can be read.
		 * @return true if the call is closed later, because its caller is not known yet
		 */
		default boolean keepsRejection(RpcStatus status, String why) {
			return false;
		}

		/**
		 * The call has ended: it was closed, the client cancelled it, or its connection
		 * was closed. Called once, as the last method.
		 */
		void onEnd();

	}

	/** Responses of a call. Any thread. */
	interface Responses {

		/**
		 * Sends a message. Does nothing after {@link #close} or the end of the call.
		 * @param message not changed afterwards
		 */
		void send(byte[] message);

		/**
		 * Ends the call. Does nothing if it has ended.
		 * @param status OK, or the failure
		 * @param message text for the caller, empty for none
		 */
		void close(RpcStatus status, String message);

		/**
		 * Ends the call, because its caller may not make it. Does nothing if it has
		 * ended.
		 */
		default void refuse(AccessDenial why) {
			close(why.status(), why.message());
		}

		/** No message is kept any more: its memory and window are given back. */
		default void messagesTaken() {
		}

	}

}
