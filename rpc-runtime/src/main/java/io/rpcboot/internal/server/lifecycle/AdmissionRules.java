package io.rpcboot.internal.server.lifecycle;

import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.transport.ConnectionAdmission;
import io.rpcboot.internal.transport.PerAddressLimit;
import io.rpcboot.server.AdmissionOptions;

/** Rules about addresses of clients. */
public final class AdmissionRules {

	private AdmissionRules() {
	}

	/** Returns the rules of a server, for one port. */
	public static ConnectionAdmission of(ServerOptions options) {
		AdmissionOptions admission = options.admission;
		return new ConnectionAdmission(admission.allowed(), admission.denied(), admission.proxies(),
				new PerAddressLimit(options.connectionsPerAddress()));
	}

}
