package io.rpcboot.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * Observations of calls. Names follow OpenTelemetry's semantic conventions for RPC and
 * differ from the meters of the engine.
 *
 * @since 0.1.0
 */
public enum RpcObservationDocumentation implements ObservationDocumentation {

	/** A call at the client, from its start until the caller continues. */
	CLIENT {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultRpcClientObservationConvention.class;
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return KeyName.merge(ErrorKey.values(), ClientKey.values());
		}

	},

	/** A call at the server, from its start on a thread until its reply is ready. */
	SERVER {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultRpcServerObservationConvention.class;
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return KeyName.merge(ErrorKey.values(), ServerKey.values());
		}

	};

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return CallKey.values();
	}

	/** Key names of both sides with few distinct values, for meters and traces. */
	public enum CallKey implements KeyName {

		/** Always {@code rpcboot}. */
		SYSTEM {

			@Override
			public String asString() {
				return "rpc.system.name";
			}

		},

		/** Service and method, such as {@code com.acme.Users/find}. */
		METHOD {

			@Override
			public String asString() {
				return "rpc.method";
			}

		},

		/**
		 * The {@link io.rpcboot.RpcStatus}; {@code UNKNOWN} before the end of the call.
		 */
		STATUS {

			@Override
			public String asString() {
				return "rpc.status_code";
			}

		}

	}

	/** Key names of failed calls. */
	public enum ErrorKey implements KeyName {

		/** The status, if it is an error. */
		TYPE {

			@Override
			public String asString() {
				return "error.type";
			}

		}

	}

	/** Key names of client traces. */
	public enum ClientKey implements KeyName {

		/** Host of the instance that received the call last. */
		SERVER_ADDRESS {

			@Override
			public String asString() {
				return "server.address";
			}

		},

		/** Its port. */
		SERVER_PORT {

			@Override
			public String asString() {
				return "server.port";
			}

		}

	}

	/** Key names of server traces. */
	public enum ServerKey implements KeyName {

		/** Address of the client's connection. */
		PEER_ADDRESS {

			@Override
			public String asString() {
				return "network.peer.address";
			}

		},

		/** Its port. */
		PEER_PORT {

			@Override
			public String asString() {
				return "network.peer.port";
			}

		}

	}

}
