package io.rpcboot.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of calls, with names after OpenTelemetry's semantic conventions for
 * RPC. None is a name of the meters that the engine reports.
 */
public enum RpcObservationDocumentation implements ObservationDocumentation {

	/** A call at the client, from its start until the caller goes on. */
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

	/** A call at the server, from when a thread has taken it until its answer is made. */
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

	/** What both sides have with few values, for meters too. */
	public enum CallKey implements KeyName {

		/** Always {@code rpcboot}. */
		SYSTEM {

			@Override
			public String asString() {
				return "rpc.system.name";
			}

		},

		/** Service and method, as {@code com.acme.Users/find}. */
		METHOD {

			@Override
			public String asString() {
				return "rpc.method";
			}

		},

		/** The {@link io.rpcboot.RpcStatus}; {@code UNKNOWN} while there is none. */
		STATUS {

			@Override
			public String asString() {
				return "rpc.status_code";
			}

		}

	}

	/** What calls have that failed. */
	public enum ErrorKey implements KeyName {

		/** The status, if it is an error. */
		TYPE {

			@Override
			public String asString() {
				return "error.type";
			}

		}

	}

	/** What only traces of clients have. */
	public enum ClientKey implements KeyName {

		/** Host of the instance that had the call last. */
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

	/** What only traces of servers have. */
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
