package io.rpcboot.internal.client.connection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ErrorReply;
import io.rpcboot.internal.client.call.Execution;
import io.rpcboot.internal.client.contract.PeerContract;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.serialization.contract.ContractHash;
import org.jspecify.annotations.Nullable;

/**
 * Contracts of servers that differ from those of this client. Each request tells the hash
 * of the client's contract and the hashes of those that fit its method. A server with
 * another contract refuses the call and tells its hash; then the client asks for the text
 * and compares it, once for a version of the server. Calls that are refused meanwhile
 * wait. Any thread.
 */
public final class ContractComparisons {

	/** Separator of hashes. */
	private static final String SEPARATOR = ",";

	/** Contracts of servers that a request tells. */
	private static final int MAX_TOLD = 8;

	/** Refusals of a call: servers that tell another contract each time do not fit. */
	private static final int MAX_REFUSALS = 16;

	private static final String VERSIONS = "client and server have different versions of the interface or of a type in it: ";

	private final ClientResources client;

	private final RateLimitedLogger log = new RateLimitedLogger("rpc.client", System::nanoTime);

	/** Calls that wait for a comparison, by the first number of their service. */
	private final Map<Integer, List<ClientCall>> waiting = new HashMap<>();

	public ContractComparisons(ClientResources client) {
		this.client = client;
	}

	/**
	 * Returns the hashes that requests of a service tell, by the indices of its methods;
	 * empty if there is nothing to compare.
	 */
	public List<String> told(ServiceBinding binding) {
		Contract own = binding.contract();
		List<PeerContract> others = this.client.contracts().parsed(binding, MAX_TOLD);
		String hash = own.hash().toString();
		List<String> all = new ArrayList<>();
		for (int i = 0; i < own.methods().size(); i++) {
			StringJoiner told = new StringJoiner(SEPARATOR).add(hash);
			for (PeerContract each : others) {
				if (!each.refused().containsKey(i)) {
					told.add(each.hash().toString());
				}
			}
			all.add(told.toString());
		}
		return all;
	}

	/** Connection whose server tells its contracts. Any thread. */
	public interface Source {

		/** Returns the address of the server. */
		Endpoint endpoint();

		/** Tells the contracts of a service from now on. */
		void bind(ServiceBinding binding);

		/**
		 * Asks the server for its contract.
		 * @param refused call that the server has refused
		 * @param then gets the text, or null and why there is none; once, on any thread
		 */
		void ask(ClientCall refused, BiConsumer<@Nullable String, String> then);

	}

	/**
	 * Takes a call back that a server has refused, because it has another contract.
	 * @param told hash of that contract
	 */
	public void refused(Source from, ServiceBinding binding, ClientCall call, String told) {
		AttemptHistory attempts = call.attempts;
		if (attempts != null && attempts.made() >= MAX_REFUSALS) {
			fail(call, "the server refuses each contract, and tells " + told);
			return;
		}
		PeerContract known = find(binding, told);
		if (known == null) {
			await(from, binding, call);
			return;
		}
		String difference = known.refused().get(call.method.number - binding.firstNumber());
		if (difference != null) {
			fail(call, VERSIONS + difference);
			return;
		}
		from.bind(binding); // tells it from now on
		call.reference.dispatchAgain(call, RedispatchReason.REFUSED);
	}

	private @Nullable PeerContract find(ServiceBinding binding, String told) {
		try {
			return this.client.contracts().findParsed(binding, ContractHash.parse(told));
		}
		catch (ContractException ex) {
			return null;
		}
	}

	/**
	 * Lets a call wait for a comparison, and begins it unless another call has done so.
	 */
	private void await(Source from, ServiceBinding binding, ClientCall call) {
		synchronized (this.waiting) {
			List<ClientCall> calls = this.waiting.get(binding.firstNumber());
			if (calls != null) {
				calls.add(call);
				return;
			}
			this.waiting.put(binding.firstNumber(), new ArrayList<>(List.of(call)));
		}
		from.ask(call, (text, failure) -> answered(from, binding, text, failure));
	}

	private void answered(Source from, ServiceBinding binding, @Nullable String text, String failure) {
		if (text == null) {
			resume(from, binding, "the contract of the server is not known: " + failure);
			return;
		}
		Runnable comparison = () -> resume(from, binding, compare(from, binding, text));
		try {
			this.client.callbacks().execute(comparison); // it may take milliseconds
		}
		catch (RejectedExecutionException ex) { // the client is closed
			resume(from, binding, "the client is closed");
		}
	}

	/** Returns why the contract of a server cannot be compared, empty if it was. */
	private String compare(Source from, ServiceBinding binding, String text) {
		try {
			PeerContract contract = new PeerContract(binding, text);
			Map<Integer, String> refused = contract.refused();
			if (!refused.isEmpty()) {
				this.log.warn("Service " + binding.service().id(),
						"instance %s: %d of %d methods are refused: %s".formatted(from.endpoint(), refused.size(),
								binding.service().methods().size(), String.join("; ", refused.values())));
			}
			return this.client.contracts().keep(contract) ? "" : "no memory for the contract of the server";
		}
		catch (ContractException ex) {
			return "the contract of the server cannot be read: " + ex.getMessage();
		}
	}

	private void resume(Source from, ServiceBinding binding, String problem) {
		List<ClientCall> calls;
		synchronized (this.waiting) {
			calls = this.waiting.remove(binding.firstNumber());
		}
		from.bind(binding);
		for (ClientCall each : (calls != null) ? calls : List.<ClientCall>of()) {
			if (problem.isEmpty()) {
				each.reference.dispatchAgain(each, RedispatchReason.REFUSED);
			}
			else {
				fail(each, problem);
			}
		}
	}

	/** Fails a call that did not run, or sends it to another instance. */
	private static void fail(ClientCall call, String why) {
		Execution where = call.reference.hasAnother(call) ? Execution.NONE : Execution.REFUSED;
		call.onError(new ErrorReply(RpcStatus.FAILED_PRECONDITION, where, "", why, Attachments.none()));
	}

}
